import { useState } from 'react'
import { signatureDraft } from '#schemas/resources/visit-key.ts'
import { useLiveQuery, useUserData } from '#data/context/app-context.tsx'
import { draft$ } from '#data/drafts/drafts.ts'
import { NO_SIGNATURE, signatureIn, type Signature } from './signature.ts'

/**
 * The signature of 立会者 of a visit. It is a draft under a key that names the visit: encrypted like the others, on the
 * device after each stroke, and removed after the visit has left the device. It is never sent.
 * @param visit key of the visit
 * @returns undefined until the device is read; the function stores another one, or removes it if it is `NO_SIGNATURE`
 */
export function useSignature(visit: string): [Signature | undefined, (next: Signature) => void] {
  const drafts = useUserData()?.drafts
  const key = signatureDraft(visit)
  const stored = useLiveQuery(`signature of ${visit}`, (db) => draft$(db, key))
  // What was typed is shown before it is stored.
  const [own, setOwn] = useState<Signature>()
  const put = (next: Signature) => {
    setOwn(next)
    void (next === NO_SIGNATURE ? drafts?.drop(key) : drafts?.keep(key, next))
  }
  return [own ?? (stored && signatureIn(stored.values)), put]
}
