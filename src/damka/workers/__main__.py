"""`python -m damka.workers`: a worker process, controlled by a server over pipes."""

from damka.workers.serving import main

if __name__ == "__main__":
    main()
