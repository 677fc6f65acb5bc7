"""Sphinx configuration of the documentation: `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path

import damka

sys.path.insert(0, str(Path(__file__).parents[1]))

project = "Damka"
author = "the Damka authors"
release = version = damka.__version__
html_title = "Damka"

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinxext.rediraffe",
    "myst_nb",
    "tools.docs",
]
exclude_patterns = ["examples", "screenshots", "_static"]
source_suffix = {".rst": "restructuredtext", ".md": "myst-nb", ".ipynb": "myst-nb"}
highlight_language = "none"
rediraffe_redirects = "redirects.txt"

# Markdown. Headings are link targets, as on GitHub.
myst_enable_extensions = ["attrs_block", "colon_fence"]
myst_heading_anchors = 3
# The notebook is executed. A failing cell is a warning, which is an error here.
nb_execution_mode = "force"
nb_execution_timeout = 240
nb_output_stderr = "remove"  # Matplotlib prints there on first use

# Reference. Names in backticks link to their documentation.
default_role = "py:obj"
autodoc_default_options = {
    "members": True,
    "imported-members": True,
    "undoc-members": True,
    "inherited-members": "object,int,str,tuple,Exception,BaseException,Protocol,Node,Env,VectorEnv",
    "member-order": "bysource",
}
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
toc_object_entries_show_parents = "hide"

# HTML. `make docs` checks that nothing is loaded from other hosts.
html_theme = "pydata_sphinx_theme"
html_favicon = "../src/damka/web/static/icon.svg"
html_static_path = ["_static", "../src/damka/web/static/icon.svg"]
html_css_files = ["damka.css"]
# The start page has no pages below it to list.
html_sidebars: dict[str, list[str]] = {"index": []}
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "Damka", "image_light": "_static/icon.svg", "image_dark": "_static/icon.svg"},
    "header_links_before_dropdown": 8,
    "navbar_persistent": ["search-button"],  # the field would wrap eight links
    "navigation_with_keys": True,
    "search_as_you_type": True,
    "secondary_sidebar_items": ["page-toc"],
    "show_toc_level": 2,
    "show_prev_next": True,
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_show_copyright = False
copybutton_exclude = ".linenos, .gp, .go"
