'use client'

import { createContext } from 'react'
import type { Offer } from './offered.tsx'

type Refused = { ok: false; message: string }
export type TemplateNames = { ok: true; templates: Offer[] } | Refused
export type TemplateWords = { ok: true; body: string; has_files: boolean } | Refused

/** All templates there are by name, and what one of them says. */
export type TemplateSource = {
  /** Whether there is any to offer. */
  any: boolean
  list: () => Promise<TemplateNames>
  read: (template_id: string) => Promise<TemplateWords>
}

/** What a / offers: all but the one that is being written. */
export type OfferingSource = TemplateSource & { except?: string | undefined }

/** Null: a / is a /. */
export const OfferedTemplates = createContext<OfferingSource | null>(null)
