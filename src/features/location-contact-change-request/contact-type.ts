/** Translates the contact types in URLs, `type1` for entry and `type2` for exit, to their codes and back. */
import { redirect } from '@tanstack/react-router'
import type { ContactTypeCode } from '#schemas/resources/location-contact-change-request.ts'

type ContactParam = 'type1' | 'type2'

/** The codes of `ContactType`. The first screen needs this file, where `#schemas/codes.ts` would cost too many bytes. */
const CODES = { type1: '02', type2: '03' } as const satisfies Record<ContactParam, ContactTypeCode>

const isContactParam = (text: string): text is ContactParam => Object.hasOwn(CODES, text)

/** Returns the code for the type in a URL. @throws a redirect to not-found for an invalid type */
export function contactTypeOf(param: string): ContactTypeCode {
  if (!isContactParam(param)) throw redirect({ to: '/not-found', replace: true })
  return CODES[param]
}

export const contactParam = (code: ContactTypeCode): ContactParam =>
  code === CODES.type1 ? 'type1' : 'type2'
