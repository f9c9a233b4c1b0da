import { createDocument, getSchema } from '@tiptap/core'
import { toEditorHtml } from './editor-html.tsx'
import { isFormatted, type RichNode, toPlain } from './rich-source.tsx'
import { extensions } from './schema.tsx'

/** What HTML says as plain text, and whether looks go with it. */
export function sourceToPlain(source: string): { text: string; isLess: boolean } {
  const schema = getSchema(extensions({ fields: [] }))
  const made: RichNode = createDocument(toEditorHtml(source), schema).toJSON()
  return { text: toPlain(made).trim(), isLess: isFormatted(made) }
}
