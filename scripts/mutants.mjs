import { run } from './bootstrap.mjs'

await run('scripts/mutants.ts')
