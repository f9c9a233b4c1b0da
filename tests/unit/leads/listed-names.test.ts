import { expect, test } from 'vitest'
import { listedNames } from '#lib/domain/leads/listed-names'

test.each([
  [{ linkedin_url: 'https://de.linkedin.com/in/Ada/?trk=x' }, ['linkedin.com/in/ada']],
  [{ linkedin: 'in/ada' }, ['linkedin.com/in/ada']],
  [{ linkedin: 'jos%C3%A9' }, ['linkedin.com/in/josé']],
  [{ linkedin_url: 'https://www.linkedin.com/company/acme' }, []],
  [{ linkedin_url: '<https://www.linkedin.com:443//in/ada>' }, ['linkedin.com/in/ada']],
  [{ instagram_url: 'https://www.instagram.com/p/Cabc/', x_url: 'https://x.com/i/user/1' }, []],
  [{ telegram: 'https://t.me/s/ada', twitter: 'https://twitter.com/intent/follow?screen_name=ada' }, []],
  [{ twitter: '@ada', x_url: 'https://twitter.com/Ada/status/1' }, ['x.com/ada']],
  [{ phone: '0170 1234567', country: 'Germany' }, ['+491701234567']],
  [{ phone: '0049 (0)170 1234567' }, ['+491701234567']],
  [{ phone: '0170 1234567' }, []],
  [{ whatsapp: '+1 415 555 2671', phone: '+1 415 555 2671 ext. 3' }, ['+14155552671']],
  [{ phone: 7, linkedin: ' ' }, []],
])('a row with %j is known by %j', (data, names) => {
  expect(listedNames({ data })).toEqual(names)
})

test('what is known of the person counts too, once', () => {
  const person = { profile: 'linkedin:linkedin.com/in/ada', phone: '0170 1234567', country: 'DE' }
  const row = { data: { linkedin: 'ada' }, social_profile: 'https://t.me/ada', ...person }
  expect(listedNames(row)).toEqual(['linkedin.com/in/ada', 't.me/ada', '+491701234567'])
})
