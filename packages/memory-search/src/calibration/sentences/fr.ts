import type { SentenceTriple } from './sentence-triple.js'

/** French. */
export const fr: readonly SentenceTriple[] = [
  {
    fact: 'Camille ne mange pas de viande, mais elle accepte le poisson.',
    paraphrase: 'Est-ce que Camille mange du poisson ou de la viande ?',
    nearMiss: "Hugo ne boit pas d'alcool, mais il accepte volontiers un jus de pomme.",
  },
  {
    fact: 'Le rendez-vous avec le notaire est fixé au 12 juin à 10 h dans son étude de Nantes.',
    paraphrase: 'À quelle date devons-nous voir le notaire à Nantes ?',
    nearMiss: "Le rendez-vous avec l'architecte est fixé au 3 avril à 14 h dans son bureau de Rennes.",
  },
  {
    fact: "La facture FA-3391 du plombier s'élève à 480 euros.",
    paraphrase: 'Combien doit-on au plombier pour la facture FA-3391 ?',
    nearMiss: "La facture FA-7702 de l'électricien s'élève à 150 euros.",
  },
  {
    fact: "Mon frère Mathieu travaille comme infirmier à l'hôpital de Grenoble.",
    paraphrase: 'Mathieu, mon frère, est infirmier et son hôpital se trouve à Grenoble.',
    nearMiss: 'Ma cousine Élodie travaille comme professeure dans un lycée de Lille.',
  },
  {
    fact: 'Nous avons choisi Rust pour réécrire le moteur de recherche du site.',
    paraphrase: 'Le moteur de recherche du site sera réécrit en Rust.',
    nearMiss: "Nous avons choisi Kotlin pour l'application mobile des livreurs.",
  },
  {
    fact: "Le chat de Sophie s'appelle Biscuit et prend un cachet chaque soir.",
    paraphrase: 'Quel médicament faut-il donner le soir à Biscuit, le chat de Sophie ?',
    nearMiss: "Le chien de nos voisins s'appelle Pacha et mange deux fois par jour.",
  },
  {
    fact: 'Pour les vacances de février, Julien a réservé un chalet à Megève.',
    paraphrase: 'Où Julien a-t-il réservé son chalet pour février ?',
    nearMiss: "Pour les vacances d'été, Nadia a réservé un camping près de Biarritz.",
  },
  {
    fact: "Je préfère que l'on me tutoie et que les messages soient courts.",
    paraphrase: "Il vaut mieux me tutoyer et m'écrire des messages courts.",
    nearMiss: "Notre directrice préfère qu'on la vouvoie et que les réunions soient longues.",
  },
]
