// An additional worker in a process of its own, as in a deployment with several instances.

import { mailProvider } from '#lib/services/senders/mail-provider'
import { dispatchDue } from '#lib/services/sending/run'

process.on('disconnect', () => process.exit(0))

for (;;) {
  try {
    await dispatchDue({
      mail: mailProvider(),
      clock: () => new Date(),
      until: new Date(Date.now() + 10_000),
    })
  } catch (error) {
    // The database is killed too during a drill.
    console.error(error)
  }
  await new Promise((resolve) => setTimeout(resolve, 500))
}
