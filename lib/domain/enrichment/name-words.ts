const words = (list: string) => new Set(list.trim().split(/\s+/))

/** Forms of address and academic titles before a name, without dots. */
export const PREFIXES = words(`
  mr mrs ms miss mx sir dame lord lady dr prof professor doctor rev reverend fr father hon judge capt captain col colonel
  maj major sgt lt gen general herr frau fräulein dipl ing dipl-ing mag mmag ddr priv-doz pd monsieur madame mademoiselle m
  mme mlle me maître sr sra srta don doña señor señora ing lic sig sigra dott dottssa avv arch geom dhr mevr mw ir drs pan
  pani inż mgr mudr judr phdr rndr doc sheikh hajji`)

/** Suffixes after a name, without dots. Roman numerals from II on. */
export const SUFFIXES = words(`
  jr sr ii iii iv phd md dds dvm jd esq cpa cfa mba msc bsc ma ba pmp obe mbe cbe kbe ret llm llb edd psyd rn pe cissp ll.m
  b.sc m.sc csc dphil frcs facs`)

/** Particles that belong to the family name after them. Two-word ones are matched word by word. */
export const PARTICLES = words(`
  van von der den de del della dello degli dei di da do dos das du des la le las los lo ter ten te op zu zum zur vom af av
  el al bin ibn ben bat abu st saint san santa e 't`)
