// npm run simulate -- [--seeds 200] [--from 1] [--workers 2] [--stop] [--social] [--neighbours] [--granted] [--undisturbed], or: npm run simulate -- --seed N --replay
import { parseArgs } from 'node:util'
import { generateClient } from '#scripts/up/build'
import { simulate, simulateHere } from '#tests/simulation/run'

const { values } = parseArgs({
  allowNegative: true,
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string' },
    replay: { type: 'boolean', default: false },
    stop: { type: 'boolean', default: false },
    social: { type: 'boolean', default: false },
    neighbours: { type: 'boolean', default: false },
    granted: { type: 'boolean', default: false },
    undisturbed: { type: 'boolean', default: false },
    generate: { type: 'boolean', default: true },
    // The database for the processes of a run.
    database: { type: 'string' },
  },
})

const { replay, stop, social, neighbours, granted, undisturbed, database, seed } = values
const seeds = {
  from: Number(seed ?? values.from),
  count: seed ? 1 : Number(values.seeds),
  replay,
  stop,
  social,
  neighbours,
  granted,
  undisturbed,
}
if (!database && values.generate) await generateClient()
const failed = database
  ? await simulateHere(database, seeds)
  : await simulate({ ...seeds, workers: Number(values.workers) })
process.exit(failed === 0 ? 0 : 1)
