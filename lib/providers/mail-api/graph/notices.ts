import { z } from 'zod'

const Notices = z.object({
  value: z
    .array(
      z.object({
        subscriptionId: z.string().max(200),
        clientState: z.string().max(128),
        lifecycleEvent: z.string().max(100).optional(),
      }),
    )
    .max(1_000),
})

export type GraphNotice = z.output<typeof Notices>['value'][number]

/** The notices in a request of Graph; empty if the body has another form. */
export function readNotices(body: string): GraphNotice[] {
  try {
    return Notices.safeParse(JSON.parse(body)).data?.value ?? []
  } catch {
    return []
  }
}
