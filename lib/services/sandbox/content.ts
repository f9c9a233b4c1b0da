import { CreateCampaign } from '#lib/contracts/campaigns/campaigns'
import { CreateSenderProfile } from '#lib/contracts/messages/sender-profiles'
import { CreateTemplate } from '#lib/contracts/messages/templates'
import { CreateSocialPost } from '#lib/contracts/posts/social-posts'

export const SAMPLE_TEMPLATES = [
  {
    name: 'Sample: a short question',
    content: {
      subject: 'A question about {{ company | default: "your team" }}',
      body: 'Hello {{ first_name | default: "there" }},\n\n{I saw|I noticed} what you do at {{ company | default: "your company" }}. Who looks after new suppliers on your side?\n\nA word is enough.',
    },
  },
  {
    name: 'Sample: ten minutes',
    content: {
      subject: '{{ first_name | default: "Hello" }}, ten minutes next week?',
      body: 'Hi {{ first_name | default: "there" }},\n\nten minutes would show how others at your place work with less typing. Shall I send two dates?',
    },
  },
].map((template) => CreateTemplate.body.parse(template))

export const SAMPLE_PROFILE = CreateSenderProfile.body.parse({
  profile_name: 'Sample: Robin of Nordlicht',
  description: 'Sender fields, for {{ sender.name }} and others.',
  sender_data: { name: 'Robin Berg', role: 'Sales', company: 'Nordlicht Labs', phone: '+49 30 5550123' },
})

export const SAMPLE_POST = CreateSocialPost.body.parse({
  text: 'We answered every mail of our customers within an hour this week. What helped most: one inbox for all of us.\n\nHow do you do it?',
  draft: 'true',
})

export const SAMPLE_SUPPRESSION = { value: '@competitor.example', reason: 'sample' }

const FOLLOW_UP =
  'Hello {{ first_name | default: "there" }},\n\n{just|only} a short reminder of my last mail. If it is not for you, a “no” is welcome too.'

/**
 * Two steps, the first in two variants, ready to launch. The window is open all day, so that a trial never waits; one second between sends,
 * so that progress can be watched; the second step is a day later, so that a reply can stop it.
 */
export const sampleCampaign = (wanted: {
  dataset_id: string
  template_ids: string[]
  mailbox_id: string | null
  timezone: string
}) =>
  CreateCampaign.body.parse({
    name: 'Sample campaign',
    description: 'Made-up people at reserved domains. Nobody is contacted.',
    dataset_id: wanted.dataset_id,
    alias_ids: wanted.mailbox_id ? [wanted.mailbox_id] : null,
    timezone: wanted.timezone,
    sending_window_start: '00:00',
    sending_window_end: '00:00',
    send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
    daily_limit: 1_000,
    min_interval_seconds: 1,
    steps_config: [
      {
        variants: wanted.template_ids.map((template_id, index) => ({
          label: 'AB'[index] ?? 'C',
          weight: 50,
          template_id,
        })),
      },
      { delay_days: 1, message_template: FOLLOW_UP },
    ],
  })
