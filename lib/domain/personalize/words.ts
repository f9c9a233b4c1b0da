/** Words that begin a sentence, a greeting or a closing: they are capitalized but name nobody. */
export const PLAIN_WORDS = new Set(
  `a about after again all already also although always am an and another any anyone are as ask at because before
  being best between both but by call can cheers could curious dear did do does during each either even every few
  finally first for from further give given glad good greetings had happy has have having hello help here hey hi hope how
  however i i'd i'll i'm i've if in instead into is it it's its just kind kindly last least let let's like looking
  many may maybe might more most much my no none nor not note notes now of often on once one only open or other our out
  over perhaps please quick regards rather re reaching reply same second see shall she should since sincerely so
  some something sometimes soon still such take talk team thank thanks that that's the their them then there there's these
  they thing things this those though through to together too under until unless up us use very want warm was way we
  we'd we'll we're we've were what what's whatever when where whether which while who whose why will wishing with
  without would wondering working yes yet you you'd you'll you're you've your yours ps p.s
  hallo guten liebe lieber sehr geehrte geehrter ich wir sie mit und viele grüße bonjour je nous vous cordialement hola
  saludos buenos estimado estimada un una el la`
    .split(/\s+/)
    .filter(Boolean),
)

/** Numbers in words and similar quantities: as much a statement as digits. */
export const QUANTITY =
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozens?|hundreds?|thousands?|millions?|billions?|percent|twice|doubled?|tripled?|half|halved)\b/giu

export const MONTHS_AND_DAYS =
  /\b(?:january|february|april|june|july|august|september|october|november|december|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|yesterday|last (?:week|month|year|quarter))\b/giu

/**
 * Phrases that should not be sent: a model speaking about itself, and pretended acquaintance. The latter is allowed if the owner
 * wrote it.
 */
export const LEFTOVERS: [RegExp, string][] = [
  [/\bas an? (?:ai|artificial intelligence|language model|assistant)\b/i, 'as an AI'],
  [/\b(?:large )?language model\b/i, 'language model'],
  [
    /\bi(?:'m| am) (?:sorry|unable|not able)[^.]{0,40}\b(?:but|cannot|can't|to)\b/i,
    'an apology from the model',
  ],
  [/\bi (?:cannot|can't) (?:help|assist|write|create|generate|comply|fulfil)/i, 'a refusal from the model'],
  [/^[ \t\u00a0]*(?:sure|certainly|of course|absolutely)[,!.]/im, 'an answer to an instruction'],
  [
    /\bhere(?:'s| is) (?:the|a|your) (?:\w+ )?(?:email|e-mail|message|draft|subject|text)\b/i,
    'a note about the text',
  ],
  [/^[ \t\u00a0]*subject\s*:/im, '“Subject:” in the text'],
  [/```|"(?:body|subject|claims)"\s*:/i, 'code in the text'],
  [
    /\b(?:ignore|disregard) (?:all |any |the )?(?:previous|prior|above) (?:instructions?|prompts?)\b/i,
    'instructions to an AI',
  ],
]

export const PRETENCE: [RegExp, string][] = [
  [
    /\b(?:as (?:we )?discussed|following up on our (?:call|chat|meeting|conversation)|(?:great|good|nice|lovely) (?:meeting|talking to|speaking with) you)\b/i,
    'a meeting',
  ],
  [/\bi (?:saw|noticed|read|came across|loved|enjoyed|watched|heard)\b/i, 'something seen or read'],
  [/\bcongrat(?:s|ulations)\b/i, 'a reason to congratulate'],
  [
    /\b(?:your|a) (?:mutual|common) (?:friend|contact|connection)\b|\b(?:was|were) referred\b|\breferred me\b/i,
    'a referral',
  ],
  [/\b(?:guaranteed?|risk[- ]free|act now|once in a lifetime|no obligation)\b/i, 'a promise'],
]
