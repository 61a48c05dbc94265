import type { SentenceTriple } from './sentence-triple.js'

/** Italian. */
export const it: readonly SentenceTriple[] = [
  {
    fact: 'Chiara non beve vino rosso perché le fa venire il mal di testa.',
    paraphrase: 'Perché Chiara evita il vino rosso?',
    nearMiss: 'Paolo non mangia formaggio fresco perché gli fa venire il mal di stomaco.',
  },
  {
    fact: 'La visita dal dottor Ferri è il 22 novembre alle 16.',
    paraphrase: 'A che ora è la visita dal dottor Ferri a novembre?',
    nearMiss: 'La visita dalla dottoressa Riva è il 5 gennaio alle 9.',
  },
  {
    fact: "La pratica numero 70415 è ancora ferma all'ufficio del comune.",
    paraphrase: 'In comune non hanno ancora mandato avanti la pratica 70415.',
    nearMiss: 'La pratica numero 33208 è stata approvata dalla regione.',
  },
  {
    fact: 'Luca ha cambiato lavoro e ora progetta ponti a Torino.',
    paraphrase: 'Che lavoro fa Luca adesso a Torino?',
    nearMiss: 'Serena ha cambiato lavoro e ora gestisce un bar a Milano.',
  },
  {
    fact: 'Le chiavi della cantina sono nel cassetto sotto il telefono.',
    paraphrase: 'In quale cassetto trovo le chiavi della cantina?',
    nearMiss: 'Gli attrezzi del giardino sono nella cassa dietro la porta.',
  },
  {
    fact: 'A luglio portiamo i bambini in Sardegna con il traghetto da Livorno.',
    paraphrase: 'I bambini vengono con noi in Sardegna a luglio, col traghetto che parte da Livorno.',
    nearMiss: "A Natale portiamo i nonni a Londra con l'aereo da Bologna.",
  },
  {
    fact: 'Il sito del negozio di Marco sarà pronto per la fine di aprile.',
    paraphrase: 'Per quando sarà pronto il sito del negozio di Marco?',
    nearMiss: 'Il catalogo della mostra di Teresa è uscito alla fine di giugno.',
  },
  {
    fact: 'Mi piace lavorare presto la mattina e non rispondo alle mail dopo le 18.',
    paraphrase: 'Dopo le 18 non leggo le mail, perché preferisco lavorare la mattina presto.',
    nearMiss: 'A mia moglie piace studiare di notte e dorme fino alle 10.',
  },
]
