// Plain JavaScript: it runs before anything is installed, on the Node that the machine has.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The processes that use the checkout's Node: its instances and its tests. Minimal images have no `ps`, other systems no /proc. */
export function listRunning(nodeBinary) {
  const all = process.platform === 'linux' ? fromProc() : fromPs()
  return all
    .filter(({ pid, command }) => pid !== process.pid && command.startsWith(`${nodeBinary} `))
    .map(({ pid, command }) => ({ pid, script: nameScript(command.slice(nodeBinary.length + 1)) }))
}

/** The first argument that is a file of ours; Node options may precede it. */
function nameScript(args) {
  const script = args.split(' ').find((arg) => /\.(?:m?js|ts)$/.test(arg) && !arg.startsWith('file:'))
  return script ? path.basename(script) : 'node'
}

function fromProc() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [
          { pid: Number(pid), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') },
        ]
      } catch {
        // The process ended meanwhile.
        return []
      }
    })
}

function fromPs() {
  try {
    const lines = execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' }).split('\n')
    return lines.map((line) => {
      const [pid = '', ...command] = line.trim().split(' ')
      return { pid: Number(pid), command: `${command.join(' ')} ` }
    })
  } catch {
    return []
  }
}
