import { expect, test } from 'vitest'
import { unknownFields } from '#components/messages/merge-fields'

test.each([
  { text: 'Hi {{ first_name }}', unknown: [] },
  { text: 'Hi {{compnay}} and {{- city -}}', unknown: ['compnay', 'city'] },
  { text: 'Hi {{ city | default: "there" }}', unknown: [] },
  { text: '{{ city | default: "x" }} {{ city | upcase }}', unknown: ['city'] },
  { text: '{{ sender.whatever }}', unknown: [] },
])('of "$text" no lead can fill $unknown', ({ text, unknown }) => {
  expect(unknownFields(text, ['first_name'])).toEqual(unknown)
})
