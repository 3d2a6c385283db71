import { useOnline } from './app-context.tsx'
import { isOffered, type FormAction, type FormSlug } from '#data/changes/offline-policy.ts'

/** True if the link to a form is shown now. */
export const useOffered = (slug: FormSlug, action: FormAction): boolean =>
  isOffered(slug, action, useOnline())
