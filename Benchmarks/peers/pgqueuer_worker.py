"""Fills and drains a pgqueuer queue for `Benchmarks drain --pgqueuer PYTHON`.

    pgqueuer_worker.py fill COUNT    installs the schema and enqueues COUNT jobs
    pgqueuer_worker.py drain         works until it is killed; writes a number for each thousand jobs or so

The database is in DATABASE_URL. Two loops with batches of 500 were the fastest of those tried.
"""
import asyncio
import os
import sys

import asyncpg
import uvloop
from pgqueuer import PgQueuer
from pgqueuer.db import AsyncpgDriver
from pgqueuer.models import Job
from pgqueuer.queries import Queries


async def driver():
    return AsyncpgDriver(await asyncpg.connect(os.environ["DATABASE_URL"]))


async def fill(count):
    queries = Queries(await driver())
    await queries.install()
    # pgqueuer's own command line does this for a production queue.
    await queries.optimize_autovacuum()
    for _ in range(0, count, 1_000):
        await queries.enqueue(["nothing"] * 1_000, [None] * 1_000, [0] * 1_000)


async def drain():
    done = 0

    async def loop():
        queue = PgQueuer(await driver())

        @queue.entrypoint("nothing")
        async def nothing(job: Job) -> None:
            nonlocal done
            done += 1
            if done % 1_000 == 0:
                os.write(1, b"1000\n")

        await queue.run(batch_size=500)

    await asyncio.gather(loop(), loop())


if sys.argv[1] == "fill":
    uvloop.run(fill(int(sys.argv[2])))
else:
    uvloop.run(drain())
