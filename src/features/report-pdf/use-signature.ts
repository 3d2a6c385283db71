import { useEffect, useState } from 'react'
import { useServices, useUserData } from '#data/context/app-context.tsx'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { signatureDraft } from '#schemas/resources/visit-key.ts'
import { toTokyoIso } from '#lib/time/tokyo-time.ts'
import { NO_SIGNATURE, signatureIn, type Signature } from './signature.ts'

/**
 * The signature of 立会者 of a visit. It is a draft under a key that names the visit: encrypted like the others, on the
 * device after each stroke, and removed after the visit has left the device. It is never sent.
 */
export function useSignature({ key }: Pick<RequestRecord, 'key'>) {
  const { clock } = useServices()
  const drafts = useUserData()?.drafts
  const draftKey = signatureDraft(key)
  const [signature, setSignature] = useState<Signature>()
  useEffect(() => {
    let left = false
    const read = async () => {
      const draft = await drafts?.read(draftKey)
      if (!left && drafts) setSignature(signatureIn(draft?.values))
    }
    void read()
    return () => {
      left = true
    }
  }, [drafts, draftKey])
  return {
    /** Undefined until the device was read. */
    signature,
    /** Shown at once; on the device with `save`. */
    change: setSignature,
    save(next: Signature) {
      setSignature(next)
      void drafts?.keep(draftKey, next)
    },
    /** A stroke has ended. */
    sign(next: Signature) {
      const signed = { ...next, at: toTokyoIso(clock.now()) }
      setSignature(signed)
      void drafts?.keep(draftKey, signed)
    },
    remove() {
      setSignature(NO_SIGNATURE)
      void drafts?.drop(draftKey)
    },
  }
}
