import { run } from './bootstrap.mjs'

await run('scripts/check.ts')
