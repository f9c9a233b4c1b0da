// node scripts/up/image.ts: what a container's start would otherwise make first, the database client and the build.
import { buildApp, generateClient } from '#scripts/up/build'

await generateClient()
await buildApp(process.env)
