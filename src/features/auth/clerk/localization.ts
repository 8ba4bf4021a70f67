import type { LocalizationResource } from '@clerk/clerk-react/types'
import { useEffect, useState } from 'react'

/** Clerk's texts by the languages of the interface. Clerk itself is in English. */
const localizations: Readonly<Record<string, () => Promise<LocalizationResource>>> = {
  hi: () => import('@clerk/localizations/hi-IN').then(({ hiIN }) => hiIN),
  es: () => import('@clerk/localizations/es-ES').then(({ esES }) => esES),
  ar: () => import('@clerk/localizations/ar-SA').then(({ arSA }) => arSA),
}

/** Returns Clerk's texts in a language once they are loaded; undefined in English, and if they can't be loaded. */
export function useLocalization(language: string): LocalizationResource | undefined {
  const [loaded, setLoaded] = useState<{ language: string; texts: LocalizationResource } | null>(null)
  useEffect(() => {
    let isCurrent = true
    localizations[language]?.().then(
      (texts) => isCurrent && setLoaded({ language, texts }),
      (error: unknown) => console.error('could not load the texts of Clerk', error),
    )
    return () => {
      isCurrent = false
    }
  }, [language])
  return loaded?.language === language ? loaded.texts : undefined
}
