import type { Metadata } from 'next'
import { z } from 'zod'
import { PostCalendar } from '#components/posts/post-calendar'
import { PageBody } from '#components/ui/layout/page-header'
import { requireUser } from '#lib/http/session'
import { postCalendar } from '#lib/services/posts/calendar'
import { parseQuery } from '../../../page-input.ts'
import { movePost } from '../actions.ts'
import { PostsHeader } from '../header.tsx'

export const metadata: Metadata = { title: 'Calendar of posts' }

const Query = z.object({
  month: z
    .string()
    .regex(/^20\d\d-(?:0[1-9]|1[0-2])$/)
    .optional(),
  week: z.iso
    .date()
    .refine((day) => day.startsWith('20'))
    .optional(),
})

export default async function CalendarPage({ searchParams }: PageProps<'/posts/calendar'>) {
  const user = await requireUser()
  const asked = parseQuery(Query, await searchParams)
  const { days, ...shown } = await postCalendar(user.workspace_id, asked, new Date())
  return (
    <>
      <PostsHeader current="calendar" />
      <PageBody>
        <PostCalendar
          {...shown}
          view={asked.week === undefined ? 'month' : 'week'}
          move={movePost}
          days={days.map(({ posts, ...day }) => ({
            ...day,
            posts: posts.map(({ at, time, post }) => ({ at: at.toISOString(), time, post })),
          }))}
        />
      </PageBody>
    </>
  )
}
