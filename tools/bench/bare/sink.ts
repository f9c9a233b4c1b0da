// A mail server in its own process that accepts everything and stores nothing. Prints where it listens; reports its counts on
// USR2.
import { SMTPServer } from 'smtp-server'

let taken = 0
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: (_auth, _session, callback) => callback(null, { user: 'bench' }),
  onData(stream, _session, callback) {
    stream.resume()
    stream.on('end', () => {
      taken += 1
      callback(null, '2.0.0 Queued')
    })
  },
})
server.listen(0, '127.0.0.1', () => {
  const address = server.server.address()
  console.log(JSON.stringify({ port: typeof address === 'object' && address ? address.port : 0 }))
})
process.on('SIGTERM', () => {
  process.stderr.write(`  sink took ${taken}\n`)
  process.exit(0)
})
