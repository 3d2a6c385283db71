/** `type1` and `type2` in the addresses: the contact for the entry, and the one for the exit. */
import { redirect } from '@tanstack/react-router'
import type { ContactTypeCode } from '#schemas/location-contact-change-request.ts'

type ContactParam = 'type1' | 'type2'

/** `ContactType`; written out, so that the first screen, which loads the guards of all routes, needs no code tables. */
const CODES = { type1: '02', type2: '03' } as const satisfies Record<ContactParam, ContactTypeCode>

const isContactParam = (text: string): text is ContactParam => Object.hasOwn(CODES, text)

/** The code of an address' type; an address with another one leads to not-found. */
export function contactTypeOf(param: string): ContactTypeCode {
  if (!isContactParam(param)) throw redirect({ to: '/not-found', replace: true })
  return CODES[param]
}

export const contactParam = (code: ContactTypeCode): ContactParam =>
  code === CODES.type1 ? 'type1' : 'type2'
