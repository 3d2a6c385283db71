import { useOnline } from './app-context.tsx'
import { isOffered, type FormAction, type FormSlug } from '#data/changes/offline-policy.ts'

export const useOffered = (slug: FormSlug, action: FormAction): boolean =>
  isOffered(slug, action, useOnline())
