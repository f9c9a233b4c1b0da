import { run } from './bootstrap.mjs'

await run('scripts/drill.ts')
