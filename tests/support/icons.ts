/** The names of the Lucide icons in an element: the first that lucide-react writes into their class, the others are older names. */
export const iconsIn = (element: Element): string[] =>
  [...element.querySelectorAll('svg')].flatMap((icon) => /lucide-(\S+)/.exec(icon.classList.value)?.[1] ?? [])
