import type { Offline } from '#schemas/declare/declare.ts'
import { declaredFacts } from '#schemas/collections/declared-facts.ts'
import type { PushSlug } from '#schemas/collections/push-collections.ts'

/**
 * What one may do without a signal (spec 1, 2, 6): as the declarations say, the one table that all screens go by.
 *
 * - `works`: added and edited offline as online; the queue sends it later.
 * - `open-forms`: links to the form are hidden; one that is open when the signal goes still saves into the queue.
 * - `needs-signal`: links to the form are hidden, and a save without signal goes to forbidden.
 */
export const offlinePolicy = Object.fromEntries(
  Object.values(declaredFacts).map(({ slug, offline }) => [slug, offline]),
) as Readonly<Record<FormSlug, Readonly<Record<FormAction, Offline>>>>

export type FormSlug = PushSlug
export type FormAction = 'add' | 'edit'

/** The forms are those of what travels to the CRM. */
export const isFormSlug = (slug: string): slug is FormSlug => Object.hasOwn(offlinePolicy, slug)

/** Whether a screen offers the way to the form. */
export const isOffered = (slug: FormSlug, action: FormAction, online: boolean): boolean =>
  online || offlinePolicy[slug][action] === 'works'

/** Whether what is in an open form may be saved. */
export const maySave = (slug: FormSlug, action: FormAction, online: boolean): boolean =>
  online || offlinePolicy[slug][action] !== 'needs-signal'
