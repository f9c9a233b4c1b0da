import { expect, test } from 'vitest'
import { filledSignature, signatureProblem } from '#lib/domain/messages/signature'

const SENDER = { name: 'Ana <Silva>', email: 'ana@company.test', title: 'Head of {{ sender.email }}' }

test.each([
  [null, null],
  ['Ana', 'Ana'],
  ['{{ sender.name }}\n{{sender.email}}', 'Ana <Silva>\nana@company.test'],
  ['<p>{{ sender.name }}</p>', '<p>Ana &lt;Silva&gt;</p>'],
  ['{{ sender.phone }}\nAna', 'Ana'],
  // The content of a field is not parsed for fields.
  ['{{ sender.title }}', 'Head of {{ sender.email }}'],
  // Fields of the recipient are empty: a signature is the sender's.
  ['Ana {{ first_name }}', 'Ana'],
  ['{a|b}', '{a|b}'],
  ['Ana {{ sender.', 'Ana {{ sender.'],
])('%j becomes %j', (signature, expected) => {
  expect(filledSignature(signature, SENDER)).toBe(expected)
})

test('one that cannot be filled says why', () => {
  expect(signatureProblem('{{ sender.name }}')).toBeNull()
  expect(signatureProblem('{{ sender.')).toEqual(expect.any(String))
})
