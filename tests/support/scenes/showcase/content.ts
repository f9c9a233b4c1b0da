import { db } from '#lib/db/client'
import { createSenderProfile } from '#lib/services/messages/sender-profiles'
import { createTemplate } from '#lib/services/messages/templates'
import type { Owner } from './outreach.ts'
import { LEADS } from './people.ts'

const DAY = 24 * 3_600_000

export async function someWords(owner: Owner) {
  for (const [name, subject] of [
    ['First touch, short', 'A thought about {{ company }}'],
    ['Follow-up', ''],
    ['Last word', 'Shall I close the file on {{ company | default: "your team" }}?'],
  ] as const)
    await createTemplate(owner, {
      name,
      content: {
        subject,
        body: 'Hello {{ first_name | default: "there" }},\n\n{I saw|I noticed} what you do at {{ company }}.\n\n{{ sender.name }}',
      },
    })
  const profile = await createSenderProfile(owner, {
    profile_name: 'Dana, founder',
    sender_data: { name: 'Dana Demo', title: 'Founder', company: 'Opener' },
    description: 'Writes to directors and owners.',
    is_default: true,
  })
  await createSenderProfile(owner, {
    profile_name: 'Robin, partnerships',
    sender_data: { name: 'Robin Vale', title: 'Partnerships' },
    description: null,
    is_default: false,
  })
  return { profile: profile.id }
}

const POSTS = [
  ['published', 'Most outreach tools promise volume. We promise that nobody hears from you twice.'],
  [
    'published',
    'Three things we learned from 10,000 first mails:\n\n1. Short wins.\n2. One question.\n3. Stop when they answer.',
  ],
  ['scheduled', 'Next week we open the doors of our new office in Rotterdam. Come by for coffee.'],
  ['draft', 'A note on why we publish our deliverability numbers'],
  ['failed', 'We are hiring a second engineer.'],
] as const

export async function somePosts({ workspace_id, user_id }: Owner, connected_account_id: string, now: Date) {
  let post = ''
  for (const [index, [status, text]] of POSTS.entries()) {
    const at = new Date(now.getTime() + (status === 'scheduled' ? 3 : -index - 2) * DAY)
    const isOut = status === 'published'
    const { id } = await db.socialPost.create({
      data: {
        workspace_id,
        user_id,
        connected_account_id,
        status,
        text,
        scheduled_at: status === 'scheduled' ? at : null,
        next_attempt_at: status === 'scheduled' ? at : null,
        published_at: isOut ? at : null,
        last_error: status === 'failed' ? 'The network says: this post repeats an earlier one.' : null,
        ...(isOut && { impressions: 1_840, reactions: 64, comments: 9, reposts: 4, metrics_updated_at: now }),
      },
    })
    if (index > 0) continue
    post = id
    await db.socialPostMetrics.createMany({
      data: [2, 1.5, 1, 0.5, 0].map((days, step) => ({
        post_id: id,
        workspace_id,
        at: new Date(now.getTime() - days * DAY),
        impressions: 120 + step * 430,
        reactions: 4 + step * 15,
        comments: step * 2,
        reposts: step,
      })),
    })
  }
  return { post }
}

/** A partly reviewed run: approved, flagged, failed and rejected texts among the written ones. */
export async function aRun({ workspace_id }: Owner, dataset_id: string, now: Date) {
  const run = await db.personalizationRun.create({
    data: {
      workspace_id,
      dataset_id,
      prompt: 'Two sentences, no flattery. Say what in their row made us write.',
      model: 'Offline writer',
      status: 'completed',
      total: LEADS.length,
      next_index: LEADS.length,
      generated_count: LEADS.length - 2,
      failed_count: 1,
      rejected_count: 1,
      flagged_count: 4,
      approved_count: 5,
      tokens_in: 18_400,
      tokens_out: 4_210,
      started_at: now,
      completed_at: now,
    },
  })
  await db.generation.createMany({
    data: LEADS.map((lead, lead_index) => {
      const hasFailed = lead_index === 7
      const status = hasFailed
        ? ('failed' as const)
        : lead_index === 8
          ? ('rejected' as const)
          : ('generated' as const)
      const where = lead.city ? ` in ${lead.city}` : ''
      return {
        run_id: run.run_id,
        workspace_id,
        lead_index,
        lead_snapshot: lead,
        status,
        generated_at: hasFailed ? null : now,
        subject: hasFailed ? null : `A question about ${lead.company}`,
        body: hasFailed
          ? null
          : `Hello ${lead.first_name},\n\nyou look after ${lead.job_title || 'much'} at ${lead.company}${where}. Who decides about outreach there?`,
        error: hasFailed ? 'The model answered nothing twice.' : null,
        claims: hasFailed
          ? []
          : [
              { text: lead.company, cell: 'company' },
              ...(lead.job_title ? [{ text: lead.job_title, cell: 'job_title' }] : []),
            ],
        flags:
          lead_index % 6 === 2 && !hasFailed
            ? [{ code: 'name_without_source', message: 'This name is not in the lead’s data.' }]
            : [],
        model: 'Offline writer',
        approved_at: lead_index < 5 && lead_index !== 2 ? now : null,
      }
    }),
  })
  return { run: run.run_id }
}
