import type { InventedPerson } from '#lib/domain/sandbox/history/people'

/** Three emails: a question in two variants, a reminder, and a last attempt. */
export const HISTORY_TEXTS = [
  {
    name: 'Sample: one question',
    content: {
      subject: 'A question about {{ company | default: "your team" }}',
      body: 'Hello {{ first_name | default: "there" }},\n\nwho looks after new suppliers at {{ company | default: "your company" }}? We help teams like yours answer every customer within an hour.\n\nA name is enough.\n\nRobin',
    },
  },
  {
    name: 'Sample: ten minutes',
    content: {
      subject: '{{ first_name | default: "Hello" }}, ten minutes next week?',
      body: 'Hello {{ first_name | default: "there" }},\n\nten minutes would show how others in {{ city | default: "your city" }} answer their customers within an hour. Shall I send two dates?\n\nRobin',
    },
  },
]

export const REMINDER =
  'Hello {{ first_name | default: "there" }},\n\na short reminder of my note below. Would next week suit you better?\n\nRobin'
export const LAST_WORD =
  'Hello {{ first_name | default: "there" }},\n\nthis is my last note. If the time is wrong, tell me when to come back.\n\nRobin'

/** What an AI would have written for a person, each fact with the cell it comes from. */
export function writtenFor({ first_name, company, title, city }: InventedPerson) {
  return {
    subject: `A word about ${company}`,
    body: `Hello ${first_name},\n\nas ${title} of ${company} in ${city} you hear first when a customer waited too long for an answer. We help teams to answer each one within an hour.\n\nWould ten minutes next week suit you?\n\nRobin`,
    claims: [
      { text: title, cell: 'title' },
      { text: company, cell: 'company' },
      { text: city, cell: 'city' },
    ],
  }
}
