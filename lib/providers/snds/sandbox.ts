import type { SndsReader } from '#lib/providers/snds/port'

const DAY_MS = 86_400_000
/** From the networks reserved for documentation. */
const IPS = ['192.0.2.10', '192.0.2.11']

/** Made-up figures: two addresses, one of which had a bad day. */
export const sandboxSnds: SndsReader = {
  readDay: async (_key, date) => {
    const number = Math.floor(Date.parse(date) / DAY_MS)
    return {
      ok: true,
      days: IPS.map((ip, index) => {
        const isBad = index === 1 && number % 9 === 4
        const result = isBad ? 'red' : number % 5 === 0 ? 'yellow' : 'green'
        const complaints = isBad ? '0.4%' : '< 0.1%'
        const complaint_share = isBad ? 0.004 : 0.001
        const recipients = 400 + ((number * 37 + index * 11) % 200)
        return { date, ip, result, complaints, complaint_share, recipients, trap_hits: isBad ? 2 : 0 }
      }),
    }
  },
  readBlocks: async () => ({ ok: true, blocks: [] }),
}
