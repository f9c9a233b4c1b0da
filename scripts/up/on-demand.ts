import type { ChildProcess } from 'node:child_process'
import { createServer, type Socket } from 'node:net'
import { endChild, type Hear, hasEnded, launch, type Running, type Service } from '#scripts/up/child'

/**
 * Listens on the port of a service and starts it with the first connection, which is passed on to it like all later ones: an
 * unused service takes no memory. One that dies is started again with the next connection.
 */
export async function startOnDemand(service: Service, port: number, hear: Hear): Promise<Running> {
  let child: ChildProcess | null = null
  let isStopping = false

  const start = () => {
    const started = launch(service, hear)
    started.once('exit', () => {
      child = null
      hear.changed()
      if (!isStopping)
        hear.say(
          `${service.name} stopped (${started.signalCode ?? `exit ${started.exitCode}`}): again when it is asked.`,
        )
    })
    child = started
    hear.changed()
    return started
  }
  const hand = (socket: Socket) => {
    if (isStopping) return socket.destroy()
    // Until the socket is passed on, its errors are ours.
    socket.on('error', () => undefined)
    const to = child && !hasEnded(child) ? child : start()
    to.send('connection', socket, (error) => {
      if (error) socket.destroy()
    })
  }
  const server = createServer({ pauseOnConnect: true }, hand)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })

  const close = () => {
    isStopping = true
    server.close()
  }
  return {
    name: service.name,
    pid: () => (child && !hasEnded(child) ? (child.pid ?? null) : null),
    stop: async () => {
      close()
      if (child) await endChild(child, service.name, hear)
    },
    kill: () => {
      close()
      child?.kill('SIGKILL')
    },
  }
}
