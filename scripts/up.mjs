import { run } from './bootstrap.mjs'

await run('scripts/up.ts')
