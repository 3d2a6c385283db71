/** Broken CRMs, each by one small change to the demo CRM; every clause has at least one that it alone must find. */
import { accessVariants } from './variants/access.ts'
import { betweenVariants } from './variants/between.ts'
import { fileVariants } from './variants/files.ts'
import { headerVariants } from './variants/headers.ts'
import { keyVariants } from './variants/keys.ts'
import { readVariants } from './variants/reads.ts'
import { writeVariants } from './variants/writes.ts'
import { textVariants } from './variants/texts.ts'
import type { Variant } from './variants/variant.ts'

export const variants: readonly Variant[] = [
  ...accessVariants,
  ...readVariants,
  ...headerVariants,
  ...keyVariants,
  ...textVariants,
  ...writeVariants,
  ...fileVariants,
  ...betweenVariants,
]
