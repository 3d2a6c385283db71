import { useState } from 'react'
import { signatureDraft } from '#schemas/resources/visit-key.ts'
import { useLiveQuery, useUserData } from '#data/context/app-context.tsx'
import { draft$ } from '#data/drafts/drafts.ts'
import { NO_SIGNATURE, signatureIn, type Signature } from './signature.ts'

/**
 * Returns the signature of a visit's 立会者, and a function that stores another one. The signature is a draft of the
 * visit: encrypted, stored after each stroke, removed after the visit, and never sent.
 * @param visit the visit's key
 * @returns the signature is undefined until the database is read; storing `NO_SIGNATURE` removes it
 */
export function useSignature(visit: string): [Signature | undefined, (next: Signature) => void] {
  const drafts = useUserData()?.drafts
  const key = signatureDraft(visit)
  const stored = useLiveQuery(`signature of ${visit}`, (db) => draft$(db, key))
  const [own, setOwn] = useState<Signature>()
  const put = (next: Signature) => {
    setOwn(next)
    void (next === NO_SIGNATURE ? drafts?.drop(key) : drafts?.keep(key, next))
  }
  return [own ?? (stored && signatureIn(stored.values)), put]
}
