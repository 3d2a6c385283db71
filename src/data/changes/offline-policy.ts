/** Which forms can be used without a signal. */
import type { Offline } from '#schemas/declare/declare.ts'
import { declaredFacts, type PushSlug } from '#schemas/collections/push-collections.ts'

/**
 * What each form can do without a signal (spec 1, 2, 6), from the resource declarations. All screens use this table.
 *
 * - `works`: adding and editing work as with a signal; the queue sends later.
 * - `open-forms`: links to the form are hidden, but a form that is already open still saves into the queue.
 * - `needs-signal`: links to the form are hidden, and saving without a signal leads to the forbidden screen.
 */
export const offlinePolicy = Object.fromEntries(
  Object.values(declaredFacts).map(({ slug, offline }) => [slug, offline]),
) as Readonly<Record<FormSlug, Readonly<Record<FormAction, Offline>>>>

export type FormSlug = PushSlug
export type FormAction = 'add' | 'edit'
export const isFormSlug = (slug: string): slug is FormSlug => Object.hasOwn(offlinePolicy, slug)

export const isOffered = (slug: FormSlug, action: FormAction, online: boolean): boolean =>
  online || offlinePolicy[slug][action] === 'works'

export const maySave = (slug: FormSlug, action: FormAction, online: boolean): boolean =>
  online || offlinePolicy[slug][action] !== 'needs-signal'
