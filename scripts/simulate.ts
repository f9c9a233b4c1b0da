// npm run simulate -- --seeds 1000 [--from 1] [--workers 2], or: -- --seed N --replay
import { parseArgs } from 'node:util'
import { simulate, simulateHere } from '#tests/simulation/run'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string' },
    /** Prints everything that happened, also of a seed that held. */
    replay: { type: 'boolean', default: false },
    /** Where a worker of a run finds its database. */
    database: { type: 'string' },
  },
})

const from = Number(values.seed ?? values.from)
const count = values.seed ? 1 : Number(values.seeds)
const failed = values.database
  ? await simulateHere(values.database, { from, count, replay: values.replay })
  : await simulate({ from, count, workers: Number(values.workers), replay: values.replay })
process.exit(failed === 0 ? 0 : 1)
