import { run } from './bootstrap.mjs'

await run('scripts/bench.ts')
