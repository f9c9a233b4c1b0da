import {
  Award,
  BellPlus,
  Eye,
  type LucideIcon,
  Mail,
  MessageCircle,
  MessageSquareText,
  MessagesSquare,
  ThumbsUp,
  UserMinus,
  UserPlus,
} from 'lucide-react'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { ACTION_WORDS, CONDITION_WORDS } from '#lib/domain/campaigns/step-words'
import { typedKeys } from '#lib/domain/text/record'

export type Kind = StepConfig['action_type']
type Look = { label: string; icon: LucideIcon; about: string }

/** Every kind of step that the API takes, in the order in which the menu offers them. */
export const KINDS: Record<Kind, Look> = {
  email: { label: ACTION_WORDS.email, icon: Mail, about: 'From a mailbox of the campaign.' },
  visit_profile: { label: ACTION_WORDS.visit_profile, icon: Eye, about: 'The person sees who visited.' },
  connection_request: {
    label: ACTION_WORDS.connection_request,
    icon: UserPlus,
    about: 'To connect, with a note or without.',
  },
  message: { label: ACTION_WORDS.message, icon: MessagesSquare, about: 'In the chat of the network.' },
  inmail: { label: ACTION_WORDS.inmail, icon: MessageSquareText, about: 'To strangers; paid accounts only.' },
  follow: { label: ACTION_WORDS.follow, icon: BellPlus, about: 'Follows their profile.' },
  like_post: { label: ACTION_WORDS.like_post, icon: ThumbsUp, about: 'Their newest one.' },
  comment_post: { label: ACTION_WORDS.comment_post, icon: MessageCircle, about: 'Below their newest one.' },
  endorse: { label: ACTION_WORDS.endorse, icon: Award, about: 'Of a skill of a connection.' },
  withdraw_invitation: {
    label: ACTION_WORDS.withdraw_invitation,
    icon: UserMinus,
    about: 'Where it was not accepted.',
  },
}

export const KIND_LIST = typedKeys(KINDS)

export const CONDITIONS: { value: StepConfig['condition']; label: string; short: string | null }[] = [
  { value: 'always', label: CONDITION_WORDS.always, short: null },
  { value: 'opened', label: CONDITION_WORDS.opened, short: 'if opened' },
  { value: 'not_opened', label: CONDITION_WORDS.not_opened, short: 'if not opened' },
  { value: 'clicked', label: CONDITION_WORDS.clicked, short: 'if clicked' },
  { value: 'not_clicked', label: CONDITION_WORDS.not_clicked, short: 'if not clicked' },
  { value: 'connected', label: CONDITION_WORDS.connected, short: 'if connected' },
  { value: 'not_connected', label: CONDITION_WORDS.not_connected, short: 'if not connected' },
]

export const NETWORKS: Record<string, string> = {
  linkedin: 'LinkedIn',
  whatsapp: 'WhatsApp',
  instagram: 'Instagram',
  telegram: 'Telegram',
  twitter: 'X',
}
