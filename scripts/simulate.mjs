import { run } from './bootstrap.mjs'

await run('scripts/simulate.ts')
