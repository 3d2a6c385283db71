/** @returns what is wrong, in words */
export function graphProblems(
  manifest: Readonly<Record<string, object>>,
  withoutScreen: readonly string[],
): string[]
