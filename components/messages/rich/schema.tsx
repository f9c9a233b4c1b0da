import {
  type AnyExtension,
  Extension,
  InputRule,
  Mark,
  mergeAttributes,
  Node,
  nodePasteRule,
} from '@tiptap/core'
import { Bold } from '@tiptap/extension-bold'
import { Document } from '@tiptap/extension-document'
import { HardBreak } from '@tiptap/extension-hard-break'
import { Italic } from '@tiptap/extension-italic'
import { BulletList } from '@tiptap/extension-list/bullet-list'
import { ListItem } from '@tiptap/extension-list/item'
import { ListKeymap } from '@tiptap/extension-list/keymap'
import { OrderedList } from '@tiptap/extension-list/ordered-list'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Text } from '@tiptap/extension-text'
import { UndoRedo } from '@tiptap/extensions/undo-redo'
import { isSafeUrl } from '#lib/domain/messages/html'
import { unknownFields } from '../merge-fields.tsx'
import { chipLabel } from './liquid-marks.tsx'

const CHIP = 'rounded-xs px-1 py-px font-mono text-[0.9em] whitespace-nowrap'
const KNOWN = `${CHIP} bg-accent-subtle text-accent-text`
const UNKNOWN = `${CHIP} bg-danger-subtle text-danger underline decoration-danger decoration-wavy`

/** A merge field or other Liquid: a single unit for the cursor, for deleting and for screen readers. */
const Liquid = Node.create<{ fields: string[] }>({
  name: 'liquid',
  group: 'inline',
  inline: true,
  atom: true,
  addOptions: () => ({ fields: [] }),
  addAttributes: () => ({
    source: {
      default: '',
      parseHTML: (element) => element.getAttribute('data-liquid'),
      renderHTML: ({ source }) => ({ 'data-liquid': source }),
    },
  }),
  parseHTML: () => [{ tag: 'span[data-liquid]' }],
  renderHTML({ node, HTMLAttributes }) {
    const { fields } = this.options
    const source = String(node.attrs.source)
    const isUnknown = fields.length > 0 && unknownFields(source, fields).length > 0
    const attributes = isUnknown ? { class: UNKNOWN, title: 'No lead has this field' } : { class: KNOWN }
    return ['span', mergeAttributes(HTMLAttributes, attributes), chipLabel(source)]
  },
  renderText: ({ node }) => String(node.attrs.source),
  addInputRules() {
    return [
      new InputRule({
        find: /(\{\{[^{}]+\}\}|\{%[^{}]+%\})$/,
        handler: ({ range, match, chain }) => {
          chain()
            .insertContentAt(range, { type: this.name, attrs: { source: match[1] } })
            .run()
        },
      }),
    ]
  },
  addPasteRules() {
    return [
      nodePasteRule({
        find: /\{\{[^{}]+\}\}|\{%[^{}]+%\}/g,
        type: this.type,
        getAttributes: ([source]) => ({ source }),
      }),
    ]
  },
})

const Link = Mark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({ href: { default: '' } }),
  parseHTML: () => [
    {
      tag: 'a[href]',
      getAttrs: (element) => isSafeUrl(element.getAttribute('href') ?? '') && null,
    },
  ],
  // A click on a link in the editor must not navigate.
  renderHTML: ({ HTMLAttributes }) => [
    'a',
    { ...HTMLAttributes, rel: 'noreferrer', class: 'text-accent-text underline' },
    0,
  ],
})

const Image = Node.create({
  name: 'image',
  group: 'inline',
  inline: true,
  draggable: true,
  addAttributes: () => ({ src: { default: '' }, alt: { default: '' }, width: { default: null } }),
  parseHTML: () => [
    {
      tag: 'img[src]',
      getAttrs: (element) => /^(https?:|cid:|\{|\/)/i.test(element.getAttribute('src') ?? '') && null,
    },
  ],
  renderHTML: ({ HTMLAttributes }) => [
    'img',
    { ...HTMLAttributes, class: 'inline-block max-w-full align-bottom' },
  ],
})

/** Moves the focus from the text to the toolbar. */
const Keys = Extension.create<{ toToolbar: () => void }>({
  name: 'keys',
  addOptions: () => ({ toToolbar: () => undefined }),
  addKeyboardShortcuts() {
    return {
      'Alt-F10': () => {
        this.options.toToolbar()
        return true
      },
    }
  },
})

type Options = { fields: string[]; toToolbar?: () => void }

/** Everything an email may contain; pasted content is reduced to it. */
export const extensions = ({ fields, ...keys }: Options): AnyExtension[] => [
  Document,
  Paragraph,
  Text,
  HardBreak,
  Bold,
  Italic,
  BulletList.configure({ HTMLAttributes: { class: 'list-disc pl-6' } }),
  OrderedList.configure({ HTMLAttributes: { class: 'list-decimal pl-6' } }),
  ListItem,
  ListKeymap,
  Link,
  Image,
  Liquid.configure({ fields }),
  UndoRedo,
  Keys.configure(keys),
]
