/** `type1` and `type2` in the addresses: the contact for the entry, and the one for the exit. */
import { redirect } from '@tanstack/react-router'
import { ContactType } from '#schemas/codes.ts'
import type { ContactTypeCode } from '#schemas/location-contact-change-request.ts'

export type ContactParam = 'type1' | 'type2'

const { entry, exit } = ContactType.code
const CODES: Record<ContactParam, ContactTypeCode> = { type1: entry, type2: exit }

const isContactParam = (text: string): text is ContactParam => Object.hasOwn(CODES, text)

/** The code of an address' type; an address with another one leads to not-found. */
export function contactTypeOf(param: string): ContactTypeCode {
  if (!isContactParam(param)) throw redirect({ to: '/not-found', replace: true })
  return CODES[param]
}

export const contactParam = (code: ContactTypeCode): ContactParam => (code === entry ? 'type1' : 'type2')
