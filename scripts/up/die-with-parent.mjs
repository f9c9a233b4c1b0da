// Loaded into each child before its own code: the channel to the supervisor closes when that dies, even by kill -9, and the child
// then stops as on SIGTERM instead of running on without a supervisor.
process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM')
  setTimeout(() => process.exit(1), 8000).unref()
})
process.channel?.unref()
