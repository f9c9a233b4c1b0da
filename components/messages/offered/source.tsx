'use client'

import { createContext } from 'react'
import type { Offer } from './offered.tsx'

type Refused = { ok: false; message: string }
export type TemplateNames = { ok: true; templates: Offer[] } | Refused
export type TemplateWords = { ok: true; body: string; has_files: boolean } | Refused

/** The available templates, and their texts. */
export type TemplateSource = {
  /** Whether there are any templates. */
  any: boolean
  list: () => Promise<TemplateNames>
  read: (template_id: string) => Promise<TemplateWords>
}

/** The templates offered after "/", except the one being edited. */
export type OfferingSource = TemplateSource & { except?: string | undefined }

/** Null: "/" has no special meaning. */
export const OfferedTemplates = createContext<OfferingSource | null>(null)
