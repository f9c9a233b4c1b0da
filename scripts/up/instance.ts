import * as fs from 'node:fs'
import path from 'node:path'
import type { EmbeddedPostgres } from '#lib/db/embedded'
import { inspectProcess } from '#lib/db/processes'
import { keepRunning, type Running } from '#scripts/up/child'
import { startEmbedded } from '#scripts/up/database'
import { self } from '#scripts/up/lock'
import { startOnDemand } from '#scripts/up/on-demand'
import { removeRunFile, runFileKeeper } from '#scripts/up/run-file'
import { localUrl, STOP_ORDER, services } from '#scripts/up/services'
import type { Ports, Settings } from '#scripts/up/settings'
import { Trouble } from '#scripts/up/trouble'

/** All processes of one data folder: starts them, keeps them running, and stops them in order. */
export class Instance {
  readonly #settings: Settings
  readonly #ports: Ports
  readonly #running: Running[] = []
  readonly #runFile: ReturnType<typeof runFileKeeper>
  #postgres: EmbeddedPostgres | null = null
  /** A start in progress, for which a stop need not wait. */
  #starting: Promise<unknown> | null = null
  #postgresPid: number | null = null
  /** The content of postgres.json, which identifies a database by its password. */
  #identity: string | null = null
  readonly #givingUp = new AbortController()
  #env: Record<string, string> = {}
  #stopping = false

  constructor(settings: Settings, ports: Ports) {
    this.#settings = settings
    this.#ports = ports
    this.#runFile = runFileKeeper(settings.dataFolder, printLine)
  }

  /** Starts the embedded Postgres and keeps it running; returns its connection string. */
  async startPostgres(): Promise<string> {
    const spawned = (pid: number) => {
      this.#postgresPid = pid
    }
    const watch = { signal: this.#givingUp.signal, spawned }
    const starting = startEmbedded(this.#settings.dataFolder, this.#ports.database, watch)
    this.#starting = starting.catch(() => undefined)
    const postgres = await starting
    this.#postgres = postgres
    this.#identity ??= readIdentity(this.#settings.dataFolder)
    postgres.exited.then(() => this.#revivePostgres(500))
    return postgres.url
  }

  async startServices(env: Record<string, string>): Promise<void> {
    this.#env = env
    fs.mkdirSync(path.join(this.#settings.dataFolder, 'logs'), { recursive: true })
    const hear = { say: printLine, changed: () => this.#remember() }
    for (const service of services(this.#settings, this.#ports, env)) {
      if (service.log) startAfresh(service.log)
      const { onDemand } = service
      this.#running.push(
        await (onDemand ? startOnDemand(service, onDemand, hear) : keepRunning(service, hear)),
      )
      this.#remember()
    }
  }

  /** Stops the services in order, the database last. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#runFile.end()
    const place = ({ name }: Running) => STOP_ORDER.indexOf(name)
    for (const child of this.#running.toSorted((a, b) => place(a) - place(b))) await child.stop()
    this.#givingUp.abort()
    await this.#starting
    await this.#postgres?.stop()
    removeRunFile(this.#settings.dataFolder)
  }

  /** Kills everything at once; committed data is safe all the same. */
  kill(): void {
    this.#stopping = true
    for (const child of this.#running) child.kill()
    this.#givingUp.abort()
    const pid = this.#postgresPid
    if (pid && inspectProcess(pid)) process.kill(pid, 'SIGQUIT')
  }

  async #revivePostgres(delayMs: number): Promise<void> {
    if (this.#stopping) return
    printLine(`database stopped: restarting in ${delayMs / 1000} s.`)
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    if (this.#stopping) return
    try {
      // A new cluster would be empty, with a password that the running processes do not know. Another instance may have created
      // one there.
      const { dataFolder } = this.#settings
      if (readIdentity(dataFolder) !== this.#identity)
        throw new Trouble(
          `${dataFolder} was removed while Opener is using it: put it back, or stop Opener and start over.`,
        )
      await this.startPostgres()
    } catch (error) {
      printLine(error instanceof Error ? error.message : String(error))
      await this.#revivePostgres(Math.min(delayMs * 2, 15_000))
    }
  }

  #remember() {
    if (this.#stopping) return
    this.#runFile.keep(() => this.#describe())
  }

  #describe() {
    const { port } = this.#settings
    const alive = this.#running.flatMap((child) => {
      const pid = child.pid()
      return pid ? [[child.name, self(pid)] as const] : []
    })
    const children = Object.fromEntries(alive)
    return { ...self(), url: localUrl(this.#settings), port, children, env: this.#env }
  }
}

function readIdentity(dataFolder: string): string | null {
  const file = path.join(dataFolder, 'postgres.json')
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null
}

export function printLine(line: string) {
  console.log(`${new Date().toISOString()} ${line}`)
}

/** Logs are for current problems: a large one is started again. */
function startAfresh(log: string) {
  if ((fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 20_000_000) fs.truncateSync(log)
}
