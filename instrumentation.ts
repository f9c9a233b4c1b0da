/** Called by the web framework once per process, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { openKeys } = await import('#lib/services/instance/open-keys')
  await openKeys()
  const { startTracing } = await import('#lib/tracing')
  await startTracing()
  const { stopGracefully } = await import('#lib/http/shutdown')
  const { refuseUnreadable } = await import('#lib/http/unreadable')
  stopGracefully()
  refuseUnreadable()
}
