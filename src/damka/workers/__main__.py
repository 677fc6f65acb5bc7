"""`python -m damka.workers`: a worker process of a server, which it obeys over pipes."""

from damka.workers.serving import main

if __name__ == "__main__":
    main()
