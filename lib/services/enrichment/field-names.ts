import { OTHER_EMAILS_NAME } from '#lib/domain/datasets/plan'

/** The headings of columns that a session adds. */
export const FIELD_NAMES: Record<string, string> = {
  email: 'Email',
  other_emails: OTHER_EMAILS_NAME,
  first_name: 'First name',
  last_name: 'Last name',
  full_name: 'Full name',
  name_prefix: 'Name prefix',
  name_suffix: 'Name suffix',
  company: 'Company',
  company_name: 'Company name',
  company_legal_form: 'Legal form',
  title: 'Job title',
  seniority: 'Seniority',
  department: 'Department',
  domain: 'Domain',
  website: 'Website',
  timezone: 'Time zone',
  email_quality: 'Email quality',
  email_repeated_in: 'Email also in',
  phone: 'Phone',
  linkedin_url: 'LinkedIn address',
  twitter_url: 'X address',
  city: 'City',
  country: 'Country',
}
