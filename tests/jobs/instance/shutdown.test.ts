import * as fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#lib/db/free-port'
import { launchDrill } from '#tests/support/drill/campaign'
import { drillInstance, until } from '#tests/support/drill/instance'
import { drillLedger } from '#tests/support/drill/ledger'
import { seeded } from '#tests/support/drill/random'
import { drillSink } from '#tests/support/drill/sink'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'

const LEADS = 150
/** At this pace three hundred messages take longer than any machine needs to receive the stop signal; QUICK is for the continuation. */
const SLOW = { from: 1_000, to: 1_500 }
const QUICK = { from: 5, to: 20 }
const dataFolder = throwawayFolder()
afterAll(() => removeThrowaway(dataFolder))

// The app may have to be built first.
const limit = { timeout: 900_000 }

test(
  'an instance stopped in the middle of sending ends what it began, and goes on later where it was',
  limit,
  async () => {
    const sink = await drillSink(path.join(dataFolder, 'taken.jsonl'), seeded(3), { ...SLOW })
    const port = await freePort()
    const instance = drillInstance({ port, dataFolder, env: { ALLOW_PRIVATE_HOSTS: '1' } })
    const log = () => fs.readFileSync(path.join(dataFolder, 'up.log'), 'utf8')
    try {
      await instance.start()
      const campaignId = await launchDrill(dataFolder, sink.port, LEADS)
      await until('mail to flow', () => sink.messages.length > 30)

      expect(await instance.stop()).toBe(0)
      expect(log()).toContain('Stopped.')
      // Each process ended by itself, with status 0, and none had to be killed.
      expect(log()).not.toContain('did not stop cleanly')
      const takenBefore = sink.taken().length
      expect(takenBefore).toBeLessThan(LEADS * 2)

      sink.pace(QUICK)
      await instance.start()
      const after = drillLedger(instance.run()?.env.DATABASE_URL ?? '', campaignId)
      const entries = await after.entries()
      // Everything that the server took before the stop is recorded: nothing was left to a lease.
      const sent = new Set(
        entries.filter(({ status }) => status === 'sent').map(({ message_id }) => message_id),
      )
      expect(
        sink
          .taken()
          .slice(0, takenBefore)
          .filter(({ message_id }) => !sent.has(message_id)),
      ).toEqual([])
      await until('the campaign to complete', async () => (await after.progress()).status === 'completed')

      const all = await after.entries()
      expect(all).toHaveLength(LEADS * 2)
      expect(all.filter(({ status }) => status !== 'sent')).toEqual([])
      const taken = sink.taken().map(({ to, step }) => `${to} ${step}`)
      expect(taken).toHaveLength(LEADS * 2)
      expect(new Set(taken).size).toBe(taken.length)
    } finally {
      await instance.stop()
      await sink.close()
    }
  },
)
