// node scripts/up/image.ts: prepares what a container's start would otherwise do first: the database client and the build.
import { buildApp, generateClient } from '#scripts/up/build'

await generateClient()
await buildApp(process.env)
