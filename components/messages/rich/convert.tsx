import { createDocument, getSchema } from '@tiptap/core'
import { toEditorHtml } from './editor-html.tsx'
import { isFormatted, type RichNode, toPlain } from './rich-source.tsx'
import { extensions } from './schema.tsx'

/** HTML as plain text, and whether formatting is lost. */
export function sourceToPlain(source: string): { text: string; isLess: boolean } {
  const schema = getSchema(extensions({ fields: [] }))
  const made: RichNode = createDocument(toEditorHtml(source), schema).toJSON()
  return { text: toPlain(made).trim(), isLess: isFormatted(made) }
}
