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

/** All kinds of steps in the API, in menu order. */
export const KINDS: Record<Kind, Look> = {
  email: { label: ACTION_WORDS.email, icon: Mail, about: 'From a campaign mailbox.' },
  visit_profile: { label: ACTION_WORDS.visit_profile, icon: Eye, about: 'The person sees who visited.' },
  connection_request: {
    label: ACTION_WORDS.connection_request,
    icon: UserPlus,
    about: 'With or without a note.',
  },
  message: { label: ACTION_WORDS.message, icon: MessagesSquare, about: 'A chat message.' },
  inmail: {
    label: ACTION_WORDS.inmail,
    icon: MessageSquareText,
    about: 'Without a connection; paid accounts.',
  },
  follow: { label: ACTION_WORDS.follow, icon: BellPlus, about: 'Follows their profile.' },
  like_post: { label: ACTION_WORDS.like_post, icon: ThumbsUp, about: 'Their latest post.' },
  comment_post: { label: ACTION_WORDS.comment_post, icon: MessageCircle, about: 'On their latest post.' },
  endorse: { label: ACTION_WORDS.endorse, icon: Award, about: 'One skill; connections only.' },
  withdraw_invitation: {
    label: ACTION_WORDS.withdraw_invitation,
    icon: UserMinus,
    about: 'If not accepted.',
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
