// Plain JavaScript: it runs before anything is installed, on the Node that the machine has.

/**
 * Runs `work` under a label: on a terminal one live line that ends in a tick and its duration,
 * elsewhere (logs, CI) one line at the start and one at the end.
 */
export async function step(label, work) {
  const started = Date.now()
  const took = () => `${((Date.now() - started) / 1000).toFixed(1)} s`
  const live = process.stdout.isTTY
  const line = (text) => process.stdout.write(live ? `\r\x1b[2K${text}` : `${text}\n`)
  line(`${live ? '  ' : ''}${label} …`)
  const timer = live && setInterval(() => line(`  ${label} … ${took()}`), 1000)
  try {
    const result = await work()
    line(`✓ ${label} (${took()})${live ? '\n' : ''}`)
    return result
  } catch (error) {
    line(`✗ ${label} (${took()})${live ? '\n' : ''}`)
    throw error
  } finally {
    if (timer) clearInterval(timer)
  }
}
